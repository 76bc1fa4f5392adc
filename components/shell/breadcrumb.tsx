import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";

import { shortId } from "@/components/ui/id";
import { pageHref, PAGES } from "./pages";

type Props = {
  workspaceId: string;
  list: "reports" | "devices" | "web-apps" | "keys" | "webhooks" | "trials" | "cases";
} & ({ id: string } | { children: ReactNode });

/** Link to the parent list, then the name or id of the current page. */
export function Breadcrumb({ workspaceId, list, ...about }: Props) {
  return (
    <nav aria-label="Breadcrumb" className="wrap-anywhere">
      <Link href={pageHref(list, { workspaceId })} className="hover:text-fg">
        {PAGES[list].title}
      </Link>{" "}
      /{" "}
      {"id" in about ? (
        <span className="font-mono text-xs break-all" title={about.id}>
          {shortId(about.id)}
        </span>
      ) : (
        about.children
      )}
    </nav>
  );
}
