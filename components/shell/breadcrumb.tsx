import Link from "next/link";

import { shortId } from "@/components/ui/id";

/** The list that a page belongs to, and what the page is about. */
export function Breadcrumb({ href, list, id }: { href: string; list: string; id: string }) {
  return (
    <nav aria-label="Breadcrumb">
      <Link href={href} className="hover:text-fg">
        {list}
      </Link>{" "}
      /{" "}
      <span className="font-mono text-xs break-all" title={id}>
        {shortId(id)}
      </span>
    </nav>
  );
}
