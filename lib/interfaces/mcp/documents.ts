import { type McpServer, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";

import { baseUrl } from "@/lib/platform/env";
import { splitDocument } from "./domain/split-document";

/** A page of the documentation. */
type DocumentPage = {
  /** URL path, without the `.md` extension. */
  path: string;
  title: string;
  summary: string;
};

export type Documents = {
  listed: readonly DocumentPage[];
  /** Reads each page's Markdown, including pages that are not listed. */
  pages: Readonly<Record<string, () => Promise<string>>>;
};

const MARKDOWN = "text/markdown";

/** Reads the part of a page that the URI names, with a reference to the next part. */
async function readPart(pages: Documents["pages"], uri: URL) {
  const read = pages[uri.pathname.replace(/\.md$/, "")];
  const parts = read && splitDocument(await read());
  const number = Number(uri.searchParams.get("part") ?? "1");
  const text = parts?.[number - 1];
  if (parts === undefined || text === undefined) throw new ResourceNotFoundError(uri.href);
  const next = `${uri.origin}${uri.pathname}?part=${number + 1}`;
  const more =
    number < parts.length ? `\n\nPart ${number} of ${parts.length}; continued in the resource ${next}\n` : "";
  return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text: text + more }] };
}

/** Registers the documentation as resources, under the same URLs as on the web. */
export function registerDocuments(server: McpServer, { listed, pages }: Documents): void {
  const read = (uri: URL) => readPart(pages, uri);
  for (const { path, title, summary } of listed)
    server.registerResource(
      path.slice(1),
      `${baseUrl()}${path}.md`,
      { title, description: summary, mimeType: MARKDOWN },
      read,
    );
  const isListedElsewhere = { list: undefined };
  server.registerResource(
    "docs/errors/{code}",
    new ResourceTemplate(`${baseUrl()}/docs/errors/{code}.md`, isListedElsewhere),
    { title: "Error code", description: "Cause and remedy of one error code", mimeType: MARKDOWN },
    read,
  );
  server.registerResource(
    "docs/{page}, further parts",
    new ResourceTemplate(`${baseUrl()}/docs/{page}.md?part={part}`, isListedElsewhere),
    { title: "Further part", description: "The rest of a page that exceeds 10,000 tokens", mimeType: MARKDOWN },
    read,
  );
}
