import { renderToStaticMarkup } from "react-dom/server";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSlug from "rehype-slug";
import remarkGfm from "remark-gfm";

import { type Code, splitAtFences, type Fence, type Part } from "@/lib/interfaces/documents";
import { highlight } from "./highlight";

/** Documents link to each other by file name, so that links also work in a checkout. */
const toAddress = (href: string): string => href.replace(/^([\w-]+)\.md(?=#|$)/, "/docs/$1");

const components: Components = {
  a: ({ href = "", children }) => <a href={toAddress(href)}>{children}</a>,
  table: ({ children }) => (
    <div role="region" aria-label="Table" tabIndex={0} className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
};

/** Markdown without code blocks as HTML. Raw HTML in it is not rendered. */
export const renderText = (markdown: string): string =>
  renderToStaticMarkup(
    <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[rehypeSlug]} components={components}>
      {markdown}
    </ReactMarkdown>,
  );

export const renderCode = async ({ language, title = "Example", code }: Fence): Promise<Code> => ({
  title,
  code,
  html: await highlight(code, language),
});

/** A document split into its parts. */
export const renderDocument = (markdown: string): Promise<Part[]> =>
  Promise.all(
    splitAtFences(markdown).map(async (piece): Promise<Part> =>
      piece.kind === "text"
        ? { kind: "html", html: renderText(piece.markdown) }
        : { kind: "code", codes: await Promise.all(piece.fences.map(renderCode)) },
    ),
  );
