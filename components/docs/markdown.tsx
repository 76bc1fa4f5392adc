import Link from "next/link";
import { isValidElement, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSlug from "rehype-slug";
import remarkGfm from "remark-gfm";

import { CodeBlock } from "@/components/ui/code-block";
import { type CodeLanguage, isCodeLanguage } from "@/components/ui/highlight";

const ALIASES: Record<string, CodeLanguage> = {
  js: "javascript",
  ts: "typescript",
  sh: "bash",
  http: "text",
  jsx: "tsx",
};

function languageOf(className: unknown): CodeLanguage {
  const name = typeof className === "string" ? (/language-(\w+)/.exec(className)?.[1] ?? "text") : "text";
  return ALIASES[name] ?? (isCodeLanguage(name) ? name : "text");
}

/** A fenced block arrives as `pre` around one `code` element. */
function Fence({ children }: { children?: ReactNode }) {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) return <pre>{children}</pre>;
  const { className, children: text } = children.props;
  return <CodeBlock code={typeof text === "string" ? text : ""} language={languageOf(className)} label="Example" />;
}

const components: Components = {
  pre: Fence,
  a: ({ href = "", children }) =>
    href.startsWith("/") ? <Link href={href}>{children}</Link> : <a href={href}>{children}</a>,
  table: ({ children }) => (
    <div role="region" aria-label="Table" tabIndex={0} className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
};

/** Documentation text. Raw HTML in it is not rendered. */
export function Markdown({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[rehypeSlug]} components={components}>
      {text}
    </ReactMarkdown>
  );
}
