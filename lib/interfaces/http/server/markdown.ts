import type { IncomingMessage, ServerResponse } from "node:http";

import { sendSharedFile } from "./component-files";
import type { ReadDocument } from "./documents";

const MARKDOWN = "text/markdown";
const ENDING = ".md";

/** The quality value of a media type in an `Accept` header, from 0 to 1; undefined if the type is not listed. */
function weightOf(accept: string, type: string): number | undefined {
  for (const range of accept.split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    return weight === undefined ? 1 : Number(weight.slice("q=".length)) || 0;
  }
  return undefined;
}

/** Whether the client accepts Markdown and does not prefer HTML. Browsers never do. */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || !accept.toLowerCase().includes(MARKDOWN)) return false;
  const weight = weightOf(accept, MARKDOWN) ?? 0;
  return weight > 0 && weight >= (weightOf(accept, "text/html") ?? 0);
}

/**
 * Answers with a page's Markdown: at its path with `.md`, and at the path itself for clients that prefer Markdown.
 * Returns false for any other request.
 *
 * @param pages by path, without the extension
 */
export async function answerMarkdown(
  pages: Readonly<Record<string, ReadDocument>>,
  req: IncomingMessage,
  res: ServerResponse,
  pathname: string,
): Promise<boolean> {
  const isNamed = pathname.endsWith(ENDING);
  const page = isNamed ? pathname.slice(0, -ENDING.length) : pathname;
  if (!Object.hasOwn(pages, page)) return false;
  if (!isNamed && !prefersMarkdown(req.headers.accept)) return false;
  const file = await pages[page]?.();
  if (!file) return false;
  sendSharedFile(req, res, isNamed ? file : { ...file, vary: "Accept, Accept-Encoding" });
  return true;
}
