"use client";

import { Link } from "@/components/ui/link";
import { usePathname } from "next/navigation";

import { type PageId, pageHref, PAGES } from "@/components/shell/pages";
import { cn } from "@/components/ui/class-names";

type Props = { workspaceId: string; hidden: readonly PageId[] };

export function SettingsNavigation({ workspaceId, hidden }: Props) {
  const path = usePathname();
  const tabs = (["settings", "settings-you", "settings-instance"] as const)
    .filter((id) => !hidden.includes(id))
    .map((id) => ({ href: pageHref(id, { workspaceId }), title: PAGES[id].settingsTab }));
  return (
    <nav aria-label="Settings" className="mb-4 border-b">
      <ul className="flex flex-wrap gap-x-4">
        {tabs.map(({ href, title }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={path === href ? "page" : undefined}
              className={cn(
                "-mb-px block border-b-2 base:border-transparent py-2 base:text-fg-muted hover:text-fg",
                path === href && "border-fg font-medium text-fg",
              )}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
