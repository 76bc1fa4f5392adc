"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";

import { cn } from "@/components/ui/class-names";

type Props = { workspaceId: string; isOperator: boolean };

export function SettingsNavigation({ workspaceId, isOperator }: Props) {
  const path = usePathname();
  const home = `/w/${workspaceId}/settings`;
  const entries = [
    { href: home, title: "Workspace" },
    { href: `${home}/you`, title: "Your sign-in" },
    ...(isOperator ? [{ href: `${home}/instance`, title: "Instance" }] : []),
  ];
  return (
    <nav aria-label="Settings" className="mb-4 border-b">
      <ul className="flex flex-wrap gap-x-4">
        {entries.map(({ href, title }) => (
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
