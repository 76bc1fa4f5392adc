import { Search } from "lucide-react";

import { pageHref } from "@/components/shell/pages";
import { buttonStyle } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { Input } from "@/components/ui/input";

/**
 * Search box for any identifier. Sent by POST: an account reference must not end up in logs or the browser history.
 */
export function SearchBox({ workspaceId, className }: { workspaceId: string; className?: string }) {
  return (
    <form
      action={`${pageHref("search", { workspaceId })}/go`}
      method="post"
      role="search"
      className={cn("flex w-full min-w-0 gap-1 sm:w-96", className)}
    >
      <Input
        name="search"
        type="search"
        required
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        data-search
        aria-label="Imprint, device, address or account"
        placeholder="imp_…, dev_…, address or account"
        className="font-mono text-xs"
      />
      <button type="submit" aria-label="Search" className={cn(buttonStyle({ size: "icon" }), "size-8")}>
        <Search aria-hidden />
      </button>
    </form>
  );
}
