"use client";

import { usePathname } from "next/navigation";

import { cn } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { DOC_GROUPS, READING_ORDER } from "../pages";
import { DocsSearch } from "./docs-search";

function Groups({ path }: { path: string }) {
  return DOC_GROUPS.map((group) => (
    <div key={group} className="mb-4">
      <p id={`docs-${group}`} className="px-2.5 pb-1 text-xs font-semibold text-fg-muted">
        {group}
      </p>
      <ul aria-labelledby={`docs-${group}`} className="flex flex-col gap-0.5">
        {READING_ORDER.filter((page) => page.group === group).map(({ href, title }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={path === href ? "page" : path.startsWith(`${href}/`) ? "true" : undefined}
              className={cn(
                "block rounded-md px-2.5 py-0.5 base:text-fg-muted hover:bg-surface-2 hover:text-fg",
                (path === href || path.startsWith(`${href}/`)) && "bg-surface-2 font-medium text-fg",
              )}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
}

/** The pages by group: next to the text if there is room, otherwise folded above it. */
export function DocsNavigation() {
  const path = usePathname();
  const here = READING_ORDER.find(({ href }) => path === href || path.startsWith(`${href}/`));
  return (
    <nav aria-label="Documentation" className="shrink-0 pt-4 nav:w-48 nav:pt-10">
      <div className="nav:sticky nav:top-6 nav:max-h-[calc(100dvh-3rem)] nav:overflow-y-auto">
        <DocsSearch />
        <details key={path} className="mt-2 rounded-md border nav:hidden">
          <summary className="cursor-pointer px-3 py-2 text-fg-muted">
            {here ? (
              <>
                {here.group}: <span className="font-medium text-fg">{here.title}</span>
              </>
            ) : (
              "All pages"
            )}
          </summary>
          <div className="px-1 pt-2">
            <Groups path={path} />
          </div>
        </details>
        <div className="mt-4 hidden nav:block">
          <Groups path={path} />
        </div>
      </div>
    </nav>
  );
}

/** The previous and next pages in reading order. */
export function DocsNeighbours() {
  const path = usePathname();
  const index = READING_ORDER.findIndex(({ href }) => href === path);
  if (index === -1) return null;
  const [before, after] = [READING_ORDER[index - 1], READING_ORDER[index + 1]];
  return (
    <nav aria-label="Next and previous page" className="mt-12 grid max-w-176 gap-3 sm:grid-cols-2">
      {before ? <Neighbour direction="Previous" {...before} /> : <span className="hidden sm:block" />}
      {after ? <Neighbour direction="Next" {...after} /> : null}
    </nav>
  );
}

function Neighbour({ direction, href, title }: { direction: "Previous" | "Next"; href: string; title: string }) {
  return (
    <Link
      href={href}
      rel={direction === "Next" ? "next" : "prev"}
      className={cn(
        "rounded-lg border bg-surface px-4 py-3 hover:border-border-strong",
        direction === "Next" && "sm:text-right",
      )}
    >
      <span className="block text-xs text-fg-muted">{direction}</span>
      <span className="font-semibold">{title}</span>
    </Link>
  );
}
