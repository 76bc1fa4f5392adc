"use client";

import { Link } from "@/components/ui/link";
import { usePathname } from "next/navigation";

import { cn } from "@/components/ui/class-names";
import { Input } from "@/components/ui/input";

export function DocsNavigation({ entries }: { entries: readonly { href: string; title: string }[] }) {
  const path = usePathname();
  return (
    <nav aria-label="Documentation" className="shrink-0 pt-4 nav:w-48 nav:pt-10">
      <form method="get" action="/docs/search" role="search" aria-label="Documentation" className="mb-3">
        <Input type="search" name="q" aria-label="Search the documentation" placeholder="Search" />
      </form>
      <ul className="flex flex-wrap gap-0.5 nav:sticky nav:top-6 nav:flex-col">
        {entries.map(({ href, title }) => {
          const isHere = path === href || path.startsWith(`${href}/`);
          return (
            <li key={href}>
              <Link
                href={href}
                aria-current={path === href ? "page" : undefined}
                className={cn(
                  "block rounded-md px-2.5 py-1.5 base:text-fg-muted hover:bg-surface-2 hover:text-fg",
                  isHere && "bg-surface-2 font-medium text-fg",
                )}
              >
                {title}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
