"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";

import { cn } from "@/components/ui/class-names";
import { NAVIGATION, navigationHref, type NavigationKey } from "./navigation";

type Props = { workspaceId: string; hidden: readonly NavigationKey[]; onNavigate?: () => void };

export function SideNavigation({ workspaceId, hidden, onNavigate }: Props) {
  const path = usePathname();
  const home = `/w/${workspaceId}`;
  const isHere = (href: string) => path === href || (href !== home && path.startsWith(`${href}/`));
  return (
    <nav aria-label="Console" className="flex flex-col gap-4">
      {NAVIGATION.map(({ title, items }) => {
        const shown = items.filter(({ key }) => !hidden.includes(key));
        if (shown.length === 0) return null;
        return (
          <div key={title ?? "main"}>
            {title ? <p className="mb-1 px-2 text-xs text-fg-muted">{title}</p> : null}
            <ul className="flex flex-col gap-0.5">
              {shown.map((item) => {
                const href = navigationHref(workspaceId, item);
                return (
                  <li key={item.key}>
                    <Link
                      href={href}
                      aria-current={path === href ? "page" : undefined}
                      {...(onNavigate ? { onClick: onNavigate } : {})}
                      className={cn(
                        "flex h-7.5 items-center gap-2.5 rounded-md px-2 base:text-fg-muted hover:bg-surface-2 hover:text-fg",
                        isHere(href) && "bg-surface-2 font-medium text-fg",
                      )}
                    >
                      <item.Icon aria-hidden className="size-3.5 shrink-0" />
                      {item.label}
                    </Link>
                  </li>
                );
              })}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}
