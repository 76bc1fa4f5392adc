import { pageHref } from "@/components/shell/pages";
import { Link } from "@/components/ui/link";

/** A rule by its id, linked to its page; without a workspace, to the documentation of all rules. */
export function RuleLink({
  workspaceId,
  ruleId,
  isRow = false,
}: {
  workspaceId?: string | undefined;
  ruleId: string;
  isRow?: boolean;
}) {
  return (
    <Link
      {...(isRow && { "data-row-link": true })}
      className="link font-mono text-xs wrap-anywhere"
      href={workspaceId === undefined ? "/docs/risk" : pageHref("rule", { workspaceId, ruleId })}
    >
      {ruleId}
    </Link>
  );
}
