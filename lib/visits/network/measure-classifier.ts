import type { AsnTable } from "./asn-table";
import { classifyOrganisation } from "./domain/classify-organisation";
import { knownConnectionType } from "./domain/known-networks";
import type { ConnectionType } from "./domain/network-facts";

/** A network with its type according to a person. */
export type LabelledNetwork = { asn: number; label: ConnectionType; name?: string };

const LABELS: readonly ConnectionType[] = ["residential", "mobile", "corporate", "hosting", "proxy", "unknown"];
/** Networks of ordinary people. Classifying one as hosting or proxy accuses its users. */
const ACCESS: readonly ConnectionType[] = ["residential", "mobile"];

/**
 * Parses `asn,label[,brand[,name]]` lines after a heading. If there is a name, it is classified; otherwise the one in
 * the table of networks.
 *
 * @throws Error that names the invalid line
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
  /** Labelled networks without a name in either the file or the table. */
  unnamed: number;
  classes: ClassScore[];
  /** Share of access networks that were classified as hosting or proxy. */
  falsePositives: { accused: { asn: number; name: string; type: ConnectionType }[]; of: number; share: number };
};

const share = (part: number, whole: number) => (whole === 0 ? undefined : part / whole);

/**
 * @param withTable also uses the table of known networks, as the service does; otherwise only names
 */
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
