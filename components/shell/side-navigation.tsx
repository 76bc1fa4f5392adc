"use client";

import { Link } from "@/components/ui/link";
import { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";

import { cn } from "@/components/ui/class-names";
import type { NavigationItem } from "./navigation";

type Props = { home: string; items: readonly NavigationItem[]; onNavigate?: () => void };

/** Shown while the link's page is on its way: on a slow network nothing else would answer the click. */
function Pending() {
  const { pending } = useLinkStatus();
  if (!pending) return null;
  return (
    <span aria-hidden data-pending className="late ms-auto">
      <span className="block size-1.5 animate-pulse rounded-full bg-current" />
    </span>
  );
}

export function SideNavigation({ home, items, onNavigate }: Props) {
  const path = usePathname();
  const isHere = (href: string) => path === href || (href !== home && path.startsWith(`${href}/`));
  const groups = [...new Set(items.map(({ group }) => group))];
  return (
    <nav aria-label="Console" className="flex flex-col gap-4">
      {groups.map((group) => (
        <div key={group}>
          {group === "" ? null : <p className="mb-1 px-2 text-xs text-fg-muted">{group}</p>}
          <ul className="flex flex-col gap-0.5">
            {items
              .filter((item) => item.group === group)
              .map(({ label, href, Icon }) => (
                <li key={href}>
                  <Link
                    href={href}
                    aria-current={path === href ? "page" : isHere(href) ? "true" : undefined}
                    {...(onNavigate ? { onClick: onNavigate } : {})}
                    className={cn(
                      "flex h-7.5 items-center gap-2.5 rounded-md px-2 base:text-fg-muted hover:bg-surface-2 hover:text-fg",
                      isHere(href) && "bg-surface-2 font-medium text-fg",
                    )}
                  >
                    <Icon aria-hidden className="size-3.5 shrink-0" />
                    {label}
                    <Pending />
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
