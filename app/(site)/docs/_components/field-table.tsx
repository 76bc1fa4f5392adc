import { Table, Td, Th } from "@/components/ui/table";
import type { FieldRow } from "./openapi";

/** The fields of a body or an answer. */
export function FieldTable({ label, fields }: { label: string; fields: readonly FieldRow[] }) {
  return (
    <div className="rounded-lg border bg-surface">
      <Table label={label}>
        <thead>
          <tr>
            <Th>Field</Th>
            <Th>Type</Th>
            <Th>Meaning</Th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </Table>
    </div>
  );
}
