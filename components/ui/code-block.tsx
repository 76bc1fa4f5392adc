import type { CSSProperties } from "react";

import { cn } from "./class-names";
import { CopyButton } from "./copy-button";
import { type CodeLanguage, highlight } from "./highlight";

/** Code, coloured on the server for both themes, with a copy button. Long lines scroll. */
export async function CodeBlock(props: { code: string; language: CodeLanguage; label: string; className?: string }) {
  const code = props.code.replace(/\n$/, "");
  const lines = await highlight(code, props.language);
  return (
    <div className={cn("flex min-w-0 items-start rounded-md border bg-surface-2", props.className)}>
      <pre
        tabIndex={0}
        aria-label={props.label}
        role="region"
        className="max-h-120 min-w-0 flex-1 overflow-auto py-3 pl-4 font-mono text-xs leading-4.75"
      >
        <code className="code-lines">
          {lines.map((line, index) => (
            <span key={index} className="block min-h-4.75">
              {line.map((token, at) => (
                <span key={at} style={token.style as CSSProperties}>
                  {token.content}
                </span>
              ))}
            </span>
          ))}
        </code>
      </pre>
      <CopyButton value={code} label={`Copy: ${props.label}`} className="m-1.5 size-7" />
    </div>
  );
}
