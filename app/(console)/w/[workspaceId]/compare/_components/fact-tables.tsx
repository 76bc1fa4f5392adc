import { Panel } from "@/components/ui/panel";
import { Table, Td } from "@/components/ui/table";
import type { ComparedFact, RuleOutcome, VisitComparison } from "@/lib/visits/investigation";
import { factName, PART_NAMES } from "./fact-name";

const Value = ({ of }: { of: string | undefined }) =>
  of === undefined || of === "" ? (
    <span className="font-sans text-fg-muted">not reported</span>
  ) : (
    <span className="wrap-anywhere whitespace-normal">{of}</span>
  );

const VALUE = "min-w-44 max-w-96 py-1.5 align-top font-mono text-xs leading-5 whitespace-normal";

const Rules = ({ ids }: { ids: readonly string[] }) =>
  ids.length === 0 ? (
    <span className="text-fg-muted">none</span>
  ) : (
    <span className="font-mono text-[0.6875rem]">{ids.join(", ")}</span>
  );

function FactTable({ facts, label }: { facts: readonly ComparedFact[]; label: string }) {
  return (
    <Table label={label} room="many-columns" columns={["Value", "Earlier visit", "Later visit", "Rules that read it"]}>
      {facts.map((fact) => (
        <tr key={fact.name}>
          <Td className="py-1.5 align-top" title={fact.name}>
            {factName(fact.name)}
          </Td>
          <Td className={VALUE}>
            <Value of={fact.before} />
          </Td>
          <Td className={VALUE}>
            <Value of={fact.after} />
          </Td>
          <Td className="max-w-72 py-1.5 align-top whitespace-normal">
            <Rules ids={fact.rules} />
          </Td>
        </tr>
      ))}
    </Table>
  );
}

export function ChangedFacts({ changed, same }: Pick<VisitComparison, "changed" | "same">) {
  return (
    <Panel id="changed" title="What changed" aside={`${changed.length} of ${changed.length + same.length} values`}>
      {changed.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">Both visits reported the same values.</p>
      ) : (
        <FactTable facts={changed} label="Values that changed" />
      )}
      {same.length === 0 ? null : (
        <details className="border-t">
          <summary className="px-4 py-2 text-fg-muted">The {same.length} values that stayed the same</summary>
          <FactTable facts={same} label="Values that stayed the same" />
        </details>
      )}
    </Panel>
  );
}

const CONTRADICTIONS = {
  system: "One installation never changes its system: these are two, or the token was copied.",
  browser: "One installation never changes its browser: these are two, or the token was copied.",
  version: "One installation does not go back to an older version of its browser: these may be two.",
  hardware: "So many parts do not change at once on one machine: these are two, or the token was copied.",
} as const;

function machineText({ machine }: Pick<VisitComparison, "machine">): string {
  if (machine === undefined)
    return "The raw signals of one of the visits are erased, so that the machines cannot be compared.";
  if (machine.contradiction !== undefined) return CONTRADICTIONS[machine.contradiction];
  const changed = machine.parts.filter(({ isChanged }) => isChanged).length;
  if (changed > 0) return "One part alone may be a new graphics card or more memory: this can be one machine.";
  return "Nothing that one installation keeps has changed. Machines of one model show the same, too.";
}

export function MachineParts({ machine }: Pick<VisitComparison, "machine">) {
  return (
    <Panel id="machine" title="What could not change" aside="on one machine">
      <p className="px-4 py-3">{machineText({ machine })}</p>
      {machine === undefined ? null : (
        <div className="border-t">
          <Table
            label="Parts that one machine keeps"
            room="some-columns"
            columns={["Part", "Earlier visit", "Later visit", "Is"]}
          >
            {machine.parts.map(({ part, before, after, isChanged }) => (
              <tr key={part}>
                <Td className="py-1.5 align-top">{PART_NAMES[part]}</Td>
                <Td className={VALUE}>
                  <Value of={before} />
                </Td>
                <Td className={VALUE}>
                  <Value of={after} />
                </Td>
                <Td className={isChanged ? "py-1.5 align-top font-medium text-dec" : "py-1.5 align-top text-fg-muted"}>
                  {isChanged ? "another" : before === undefined || after === undefined ? "not compared" : "the same"}
                </Td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </Panel>
  );
}

const WHERE = { both: "both visits", first: "the earlier visit only", second: "the later visit only" } as const;

export function RuleOutcomes({ findings }: { findings: readonly RuleOutcome[] }) {
  return (
    <Panel id="rules" title="Which rules care" aside="what only one visit has comes first">
      {findings.length === 0 ? (
        <p className="px-4 py-3 text-fg-muted">No rule found anything in either visit.</p>
      ) : (
        <Table
          label="Rules that found something"
          room="some-columns"
          columns={["Rule", "Found in", "What it saw", "Because of"]}
        >
          {findings.map((outcome) => (
            <tr key={outcome.ruleId}>
              <Td className="py-1.5 align-top font-mono text-xs">{outcome.ruleId}</Td>
              <Td className="py-1.5 align-top">{WHERE[outcome.in]}</Td>
              <Td className="min-w-64 py-1.5 align-top whitespace-normal">{outcome.explanation}</Td>
              <Td className="max-w-72 py-1.5 align-top whitespace-normal">
                {outcome.changed.map(factName).join(", ") || (
                  <span className="text-fg-muted">nothing that changed</span>
                )}
              </Td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}
