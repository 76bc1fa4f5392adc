import type { Metadata } from "next";
import { Link } from "@/components/ui/link";
import { notFound } from "next/navigation";

import { JsonBlock } from "@/components/ui/json-block";
import { OPERATIONS } from "@/lib/contract";
import { type ErrorCode, ERRORS } from "@/lib/contract/errors";
import { COMMON_ERRORS, type Operation } from "@/lib/contract/operation";
import { readRendered } from "@/lib/interfaces/documents";
import { Html } from "../../_components/document";

type Props = { params: Promise<{ code: string }> };

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

const isCommon = (code: ErrorCode) => COMMON_ERRORS.some((common) => common === code);
const operationsAnswering = (code: ErrorCode): Operation[] =>
  OPERATIONS.filter((operation: Operation) => operation.errors.includes(code));

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { code } = await params;
  if (!isErrorCode(code)) return {};
  const alternates = { types: { "text/markdown": `/docs/errors/${code}.md` } };
  return { title: code, description: ERRORS[code].message, alternates };
}

export default async function ErrorCodePage({ params }: Props) {
  const { code } = await params;
  if (!isErrorCode(code)) notFound();
  const { status, message } = ERRORS[code];
  const explanation = (await readRendered()).errors[code];
  const operations = operationsAnswering(code);
  return (
    <article className="prose">
      <p className="text-sm text-fg-muted">
        <Link href="/docs/errors">Errors</Link> / {status}
      </p>
      <h1 className="font-mono text-title!">{code}</h1>
      <p>{message}.</p>
      <JsonBlock label="Answer" value={{ error: { code, message } }} />
      <h2>Cause</h2>
      <Html html={explanation?.cause ?? ""} />
      <h2>What to do</h2>
      <Html html={explanation?.remedy ?? ""} />
      <h2>Where it is answered</h2>
      {isCommon(code) ? (
        <p>By every operation.</p>
      ) : operations.length > 0 ? (
        <ul>
          {operations.map(({ id, method, path }) => (
            <li key={id}>
              <Link href={`/docs/api#${id}`} className="font-mono text-xs">
                {method} {path}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p>Outside the listed operations: in the Console, on the command line or on paths that no operation has.</p>
      )}
    </article>
  );
}
