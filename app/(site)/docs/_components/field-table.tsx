import { Table, Td } from "@/components/ui/table";
import type { FieldRow } from "./openapi";

/** More fields than this are folded: the body of a submission, which the browser component builds, has hundreds. */
const MAX_OPEN_FIELDS = 60;

type Props = { label: string; fields: readonly FieldRow[] };

/** The fields of a request or response body. */
export function FieldTable({ label, fields }: Props) {
  if (fields.length <= MAX_OPEN_FIELDS) return <Fields label={label} fields={fields} />;
  return (
    <details>
      <summary className="cursor-pointer rounded-lg border bg-surface px-4 py-2.5">All {fields.length} fields</summary>
      <div className="mt-2">
        <Fields label={label} fields={fields} />
      </div>
    </details>
  );
}

function Fields({ label, fields }: Props) {
  return (
    <div className="rounded-lg border bg-surface">
      <Table label={label} columns={["Field", "Type", "Meaning"]}>
        {fields.map(({ path, type, isRequired, description }) => (
          <tr key={path}>
            <Td className="min-w-32 font-mono text-xs wrap-anywhere whitespace-normal">{path}</Td>
            <Td className="max-w-72 min-w-32 font-mono text-xs wrap-anywhere whitespace-normal text-fg-muted">
              {type}
              {isRequired ? null : <span className="font-sans"> · optional</span>}
            </Td>
            <Td className="min-w-48 whitespace-normal">{description}</Td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
