import { SubjectTd } from "@/components/report/subject-id";
import { pageHref } from "@/components/shell/pages";
import { Button } from "@/components/ui/button";
import { TimeTd } from "@/components/ui/cells";
import { foreign } from "@/components/ui/foreign";
import { shortId } from "@/components/ui/id";
import { PageLinks } from "@/components/ui/page-links";
import { Panel } from "@/components/ui/panel";
import { CutTd, Table, Td, Th } from "@/components/ui/table";
import { REASON_COPY } from "./reason-copy";
import { clientName, type ReportRow } from "./report-table";
import { RiskBadge } from "./risk-badge";

type Props = {
  workspaceId: string;
  visits: readonly ReportRow[];
  now: Date;
  zone: string;
  newest: string | undefined;
  older: string | undefined;
};

type PickProps = { name: "a" | "b"; visit: ReportRow; isChosen: boolean };

/** Selects a visit as one of the two to compare. */
const Pick = ({ name, visit, isChosen }: PickProps) => (
  <input
    type="radio"
    name={name}
    value={visit.imprint}
    defaultChecked={isChosen}
    aria-label={`Compare ${shortId(visit.imprint)} as the ${name === "a" ? "one" : "other"} visit`}
    className="block size-4 accent-accent"
  />
);

/** Visits with their verdicts and reasons; two can be selected for comparison. Works without scripts. */
export function VisitList({ workspaceId, visits, now, zone, newest, older }: Props) {
  const canCompare = visits.length > 1;
  return (
    <form method="get" action={pageHref("compare", { workspaceId })} className="mb-4">
      <Panel
        id="visits"
        title="Visits, newest first"
        aside={
          canCompare ? (
            <Button type="submit" size="sm">
              Compare the two chosen
            </Button>
          ) : undefined
        }
      >
        {visits.length === 0 ? (
          <p className="px-4 py-3 text-fg-muted">No visit of it is stored.</p>
        ) : (
          <Table
            label="Visits"
            columns={[
              canCompare && <Th className="print:hidden!">One</Th>,
              canCompare && <Th className="print:hidden!">Other</Th>,
              "Time",
              "Risk",
              "Imprint",
              "Why",
              "Surface",
              "Client",
            ]}
          >
            {visits.map((visit, index) => (
              <tr key={visit.imprint} className="hover:bg-surface-2 focus-within:bg-surface-2">
                {canCompare ? (
                  <>
                    <Td className="print:hidden!">
                      <Pick name="a" visit={visit} isChosen={index === 1} />
                    </Td>
                    <Td className="print:hidden!">
                      <Pick name="b" visit={visit} isChosen={index === 0} />
                    </Td>
                  </>
                ) : null}
                <TimeTd at={visit.recordedAt} now={now} zone={zone} />
                <Td>
                  <RiskBadge status={visit.status} />
                </Td>
                <SubjectTd workspaceId={workspaceId} kind="visit" value={visit.imprint} isRowLink />
                <Td className="min-w-44 py-1 whitespace-normal">
                  {visit.reasons.map((reason) => REASON_COPY[reason].title).join(" · ") || (
                    <span className="text-fg-muted">nothing found</span>
                  )}
                </Td>
                <CutTd className="max-w-40" title={visit.surface}>
                  {visit.surface}
                </CutTd>
                <Td title={`${clientName(visit)}, ${foreign(visit.webAppName)}`}>{clientName(visit)}</Td>
              </tr>
            ))}
          </Table>
        )}
        <PageLinks newest={newest} older={older} />
      </Panel>
    </form>
  );
}
