import { Link } from "@/components/ui/link";

import { Table, Td } from "@/components/ui/table";
import { ERRORS } from "@/lib/contract/errors";
import { readRendered } from "@/lib/interfaces/documents";
import { Document } from "../_components/document";

export const metadata = { title: "Errors", alternates: { types: { "text/markdown": "/docs/errors.md" } } };

export default async function ErrorsPage() {
  const { documents } = await readRendered();
  return (
    <>
      <article className="prose">
        <Document parts={documents["errors.md"] ?? []} />
      </article>
      <h2 className="mt-10 text-base font-semibold">All codes</h2>
      <div className="mt-3 max-w-200 rounded-lg border bg-surface">
        <Table label="All error codes" columns={["Code", "Status", "Message"]}>
          {Object.entries(ERRORS).map(([code, { status, message }]) => (
            <tr key={code}>
              <Td className="font-mono text-xs">
                <Link href={`/docs/errors/${code}`} className="link">
                  {code}
                </Link>
              </Td>
              <Td>{status}</Td>
              <Td className="whitespace-normal">{message}</Td>
            </tr>
          ))}
        </Table>
      </div>
    </>
  );
}
