import { Link } from "@/components/ui/link";

import { DOC_GROUPS, READING_ORDER } from "./pages";

export const metadata = { title: "Documentation" };

export default function DocsIndexPage() {
  return (
    <>
      <div className="prose">
        <h1>Documentation</h1>
        <p className="text-fg-muted">
          How to put the browser component on a page, read Reports from a server, and understand what they say.
        </p>
      </div>
      {DOC_GROUPS.map((group) => (
        <section key={group} aria-labelledby={`part-${group}`} className="mt-8">
          <h2 id={`part-${group}`} className="text-base font-semibold">
            {group}
          </h2>
          <ul className="mt-3 grid max-w-176 gap-3 sm:grid-cols-2">
            {READING_ORDER.filter((page) => page.group === group).map(({ href, title, summary }) => (
              <li key={href} className="relative rounded-lg border bg-surface p-4 hover:border-border-strong">
                <Link href={href} className="font-semibold after:absolute after:inset-0">
                  {title}
                </Link>
                <p className="mt-0.5 text-fg-muted">{summary}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p className="mt-8 text-fg-muted">
        For machines:{" "}
        <a className="link" href="/openapi.json">
          openapi.json
        </a>{" "}
        (OpenAPI 3.1),{" "}
        <a className="link" href="/llms.txt">
          llms.txt
        </a>{" "}
        and{" "}
        <a className="link" href="/SKILL.md">
          SKILL.md
        </a>{" "}
        for coding assistants; every text here is also served as Markdown.
      </p>
    </>
  );
}
