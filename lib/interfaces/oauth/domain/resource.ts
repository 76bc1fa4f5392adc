/**
 * Normalises a resource's spelling: clients send it with or without a trailing slash or with an upper-case host, and
 * grants store the literal text.
 * Source: RFC 8707, section 2: a resource has no fragment.
 */
export function normaliseResource(resource: string): string {
  if (!URL.canParse(resource)) return resource;
  const url = new URL(resource);
  url.hash = "";
  // Without the look behind, each slash of a run that does not end the address would be tried as its start.
  return url.href.replace(/(?<!\/)\/+$/, "");
}

/** Normalises every `resource` parameter of a form or query. */
export function normaliseResources(parameters: URLSearchParams): void {
  const resources = parameters.getAll("resource");
  if (resources.length === 0) return;
  parameters.delete("resource");
  for (const resource of new Set(resources.map(normaliseResource))) parameters.append("resource", resource);
}
