/**
 * One spelling for each resource: clients send it with and without a trailing slash or with an upper-case host, and
 * grants are kept by the literal text.
 * Source: RFC 8707, section 2: a resource has no fragment.
 */
export function normaliseResource(resource: string): string {
  if (!URL.canParse(resource)) return resource;
  const url = new URL(resource);
  url.hash = "";
  return url.href.replace(/\/+$/, "");
}

/** Replaces every `resource` of a form or query by its one spelling. */
export function normaliseResources(parameters: URLSearchParams): void {
  const resources = parameters.getAll("resource");
  if (resources.length === 0) return;
  parameters.delete("resource");
  for (const resource of new Set(resources.map(normaliseResource))) parameters.append("resource", resource);
}
