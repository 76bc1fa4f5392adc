import { countryName } from "@/components/report/country-name";
import { RuleLink } from "@/components/report/rule-link";
import { riskWord } from "@/components/report/risk-badge";
import { counted } from "@/components/ui/counted";
import { Panel } from "@/components/ui/panel";
import { REPORT_STATUSES } from "@/lib/contract/report";

type Facet = { by: string; value: string; count: number };
type Props = { workspaceId: string; facets: readonly Facet[]; visits: number };

const TITLES: readonly (readonly [by: string, title: string])[] = [
  ["status", "Verdict"],
  ["web_app", "Web App"],
  ["surface", "Surface"],
  ["browser", "Browser"],
  ["system", "Operating system"],
  ["connection", "Connection"],
  ["country", "Country"],
];
const SHOWN = 6;

const percent = (count: number, all: number) => `${Math.round((count / Math.max(1, all)) * 100)} %`;

function textOf({ by, value }: Facet): string {
  const status = by === "status" ? REPORT_STATUSES.find((each) => each === value) : undefined;
  if (status) return riskWord(status);
  return by === "country" ? countryName(value) : value;
}

/** Where a rule fired: the most frequent values among its visits. */
export function RuleFacets({ facets, visits }: Omit<Props, "workspaceId">) {
  const groups = TITLES.map(([by, title]) => ({ by, title, values: facets.filter((each) => each.by === by) }));
  return (
    <Panel
      id="where"
      title="Where it fires"
      aside={visits === 1 ? "its only visit" : `its newest ${counted(visits, "visit")}`}
    >
      <div className="-mb-px grid sm:grid-cols-2">
        {groups
          .filter(({ values }) => values.length > 0)
          .map(({ by, title, values }) => (
            <section key={by} className="min-w-0 border-b px-4 py-2.5">
              <h3 className="text-fg-muted">{title}</h3>
              <ul>
                {values.slice(0, SHOWN).map((facet) => (
                  <li key={facet.value} className="flex justify-between gap-3">
                    <span className="min-w-0 truncate" title={textOf(facet)}>
                      {textOf(facet)}
                    </span>
                    <span className="shrink-0 text-fg-muted">{percent(facet.count, visits)}</span>
                  </li>
                ))}
                {values.length > SHOWN ? <li className="text-fg-muted">{values.length - SHOWN} more</li> : null}
              </ul>
            </section>
          ))}
      </div>
    </Panel>
  );
}

/** Rules that fire in the same visits. */
export function RulesTogether({ workspaceId, facets, visits }: Props) {
  const others = facets.filter(({ by }) => by === "rule");
  return (
    <Panel
      id="together"
      title="With which other rules"
      aside={visits === 1 ? "its only visit" : `its newest ${counted(visits, "visit")}`}
    >
      {others.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">It fires alone.</p>
      ) : (
        <ul>
          {others.slice(0, 12).map(({ value, count }) => (
            <li key={value} className="flex justify-between gap-3 border-b px-4 py-1.5 last:border-b-0">
              <RuleLink workspaceId={workspaceId} ruleId={value} />
              <span className="shrink-0 text-fg-muted">{percent(count, visits)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
