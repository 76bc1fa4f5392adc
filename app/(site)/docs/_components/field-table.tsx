import { Table, Td } from "@/components/ui/table";
import type { FieldRow } from "./openapi";

/** The fields of a body or an answer. */
export function FieldTable({ label, fields }: { label: string; fields: readonly FieldRow[] }) {
  return (
    <div className="rounded-lg border bg-surface">
      <Table label={label} columns={["Field", "Type", "Meaning"]}>
        {fields.map(({ path, type, isRequired, description }) => (
          <tr key={path}>
            <Td className="font-mono text-xs">{path}</Td>
            <Td className="max-w-72 font-mono text-xs whitespace-normal text-fg-muted">
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
