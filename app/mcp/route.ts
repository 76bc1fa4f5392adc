import { openMcp } from "@/lib/interfaces/mcp";
import { MARKDOWN_PAGES } from "../(site)/docs/markdown";
import { DOC_PAGES, GENERATED_PAGES } from "../(site)/docs/pages";

const listed = [...DOC_PAGES, ...GENERATED_PAGES].map(({ slug, ...page }) => ({ path: `/docs/${slug}`, ...page }));

export const POST = openMcp({ listed, pages: MARKDOWN_PAGES });
