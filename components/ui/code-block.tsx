import type { ReactNode } from "react";

import { cn } from "./class-names";
import { CopyButton } from "./copy-button";

type FrameProps = { label: string; className?: string | undefined; children: ReactNode };

/** Container of code: scrolls, with a copy button. */
export function CodeFrame({ label, className, children }: FrameProps) {
  return (
    <div className={cn("flex min-w-0 items-start rounded-md border bg-surface-2", className)}>
      <pre
        tabIndex={0}
        aria-label={label}
        role="region"
        className="max-h-120 min-w-0 flex-1 overflow-auto py-3 pl-4 font-mono text-xs leading-4.75 print:max-h-none print:overflow-visible print:wrap-anywhere print:whitespace-pre-wrap"
      >
        {children}
      </pre>
      <CopyButton label={`Copy: ${label}`} className="m-1.5 size-7" />
    </div>
  );
}

/** Code highlighted by the build for both themes: `html` has no other source. Long lines scroll. */
export function CodeBlock(props: { html: string; label: string; className?: string }) {
  return (
    <CodeFrame {...props}>
      <code dangerouslySetInnerHTML={{ __html: props.html }} />
    </CodeFrame>
  );
}
