import type { AsnTable } from "./asn-table";
import { classifyOrganisation } from "./domain/classify-organisation";
import { knownConnectionType } from "./domain/known-networks";
import type { ConnectionType } from "./domain/network-facts";

/** A network with the type that a person says it has. */
export type LabelledNetwork = { asn: number; label: ConnectionType; name?: string };

const LABELS: readonly ConnectionType[] = ["residential", "mobile", "corporate", "hosting", "proxy", "unknown"];
/** Networks of people: who calls one of these hosting or proxy accuses its users. */
const ACCESS: readonly ConnectionType[] = ["residential", "mobile"];

/**
 * Reads `asn,label[,brand[,name]]` lines below a heading. With a name, that name is classified; else the one that the
 * table of networks gives.
 *
 * @throws Error naming the line that is not understood
 */
export function parseLabels(text: string): LabelledNetwork[] {
  const lines = text
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line !== "");
  return lines.map((line, index) => {
    const [asn = "", label = "", , name = ""] = line.split(",");
    const known = LABELS.find((one) => one === label);
    if (!/^\d+$/.test(asn) || !known) throw new Error(`line ${index + 2}: expected asn,label,brand: ${line}`);
    return { asn: Number(asn), label: known, ...(name !== "" && { name }) };
  });
}

type ClassScore = {
  type: ConnectionType;
  labelled: number;
  called: number;
  right: number;
  precision?: number;
  recall?: number;
};

export type ClassifierScore = {
  networks: number;
  /** Labelled networks that neither the file nor the table gives a name. */
  unnamed: number;
  classes: ClassScore[];
  /** Share of access networks that were called hosting or proxy. */
  falsePositives: { accused: { asn: number; name: string; type: ConnectionType }[]; of: number; share: number };
};

const share = (part: number, whole: number) => (whole === 0 ? undefined : part / whole);

/** @param withTable also asks the table of known networks, as the service does; without it names alone decide */
export function measureClassifier(
  labels: readonly LabelledNetwork[],
  table: AsnTable | undefined,
  withTable: boolean,
): ClassifierScore {
  const nameByAsn = new Map(table?.organisations);
  const named = labels.flatMap(({ asn, label, name = nameByAsn.get(asn) }) =>
    name === undefined ? [] : [{ asn, label, name }],
  );
  const results = named.map(({ asn, label, name }) => {
    const known = withTable ? knownConnectionType(asn) : undefined;
    return { asn, label, name, type: known ?? classifyOrganisation(name).type };
  });
  const classes = LABELS.map((type): ClassScore => {
    const labelled = results.filter(({ label }) => label === type).length;
    const called = results.filter((result) => result.type === type).length;
    const right = results.filter((result) => result.type === type && result.label === type).length;
    const [precision, recall] = [share(right, called), share(right, labelled)];
    return {
      type,
      labelled,
      called,
      right,
      ...(precision !== undefined && { precision }),
      ...(recall !== undefined && { recall }),
    };
  });
  const access = results.filter(({ label }) => ACCESS.includes(label));
  const accused = access
    .filter(({ type }) => type === "hosting" || type === "proxy")
    .map(({ asn, name, type }) => ({ asn, name, type }));
  return {
    networks: results.length,
    unnamed: labels.length - results.length,
    classes,
    falsePositives: { accused, of: access.length, share: share(accused.length, access.length) ?? 0 },
  };
}
