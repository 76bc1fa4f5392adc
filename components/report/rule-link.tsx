import { Link } from "@/components/ui/link";

/** A rule by its id, which leads to its page. */
export function RuleLink({
  workspaceId,
  ruleId,
  isRow = false,
}: {
  workspaceId: string;
  ruleId: string;
  isRow?: boolean;
}) {
  return (
    <Link
      {...(isRow && { "data-row-link": true })}
      className="link font-mono text-xs break-all"
      href={`/w/${workspaceId}/rules/${ruleId}`}
    >
      {ruleId}
    </Link>
  );
}
