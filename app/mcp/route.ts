import { openMcp } from "@/lib/interfaces/mcp";
import { MARKDOWN_PAGES } from "../(site)/docs/markdown";
import { READING_ORDER } from "../(site)/docs/pages";

const listed = READING_ORDER.map(({ href, title, summary }) => ({ path: href, title, summary }));

export const POST = openMcp({ listed, pages: MARKDOWN_PAGES });
