import { evidenceHref, EvidenceLinks } from "@/components/case/evidence-links";
import { narrowedHref } from "@/components/report/report-query";
import { linkedHref, pageHref } from "@/components/shell/pages";
import { ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { AddToCase } from "./add-to-case";

type Props = {
  workspaceId: string;
  kind: "device" | "account" | "address";
  value: string;
  /** Links are followed from one address, not from a range. */
  hasLinks?: boolean;
};

/** What can be done with the subject of a page. */
export function SubjectActions({ workspaceId, kind, value, hasLinks = true }: Props) {
  const [copied, copy] = kind === "address" ? [kind, "Copy"] : [`${kind} id`, "Copy id"];
  return (
    <>
      <CopyButton value={value} label={`Copy the ${copied}`}>
        {copy}
      </CopyButton>
      <ButtonLink href={narrowedHref(pageHref("reports", { workspaceId }), { [kind]: value })}>Its Reports</ButtonLink>
      {hasLinks ? <ButtonLink href={linkedHref(workspaceId, value)}>What it is linked with</ButtonLink> : null}
      <AddToCase workspaceId={workspaceId} items={[value]} what={`this ${kind}`} />
      <EvidenceLinks href={evidenceHref(workspaceId, value)} />
    </>
  );
}
