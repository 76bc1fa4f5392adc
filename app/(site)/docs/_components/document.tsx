import { CodeBlock } from "@/components/ui/code-block";
import { CodeTabs } from "@/components/ui/code-tabs";
import type { Part } from "@/lib/interfaces/documents";

function Code({ codes }: Extract<Part, { kind: "code" }>) {
  const [first, ...more] = codes;
  if (!first) return null;
  return more.length === 0 ? (
    <CodeBlock html={first.html} label={first.title} />
  ) : (
    <CodeTabs label="Example" codes={codes} />
  );
}

/** HTML of a document, rendered by the build. */
export const Html = ({ html }: { html: string }) => (
  <div data-static className="contents" dangerouslySetInnerHTML={{ __html: html }} />
);

/** A document as rendered by the build. */
export const Document = ({ parts }: { parts: readonly Part[] }) =>
  parts.map((part, index) =>
    part.kind === "html" ? <Html key={index} html={part.html} /> : <Code key={index} {...part} />,
  );
