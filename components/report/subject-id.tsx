import type { ComponentProps } from "react";

import { Id } from "@/components/ui/id";
import { Td } from "@/components/ui/table";
import { type SubjectKind, subjectHref } from "./subject-href";

type Props = ComponentProps<typeof Id> & { workspaceId: string; kind: SubjectKind };

/** The id of a subject, linked to its page. */
export function SubjectId({ workspaceId, kind, ...id }: Props) {
  return <Id href={subjectHref(workspaceId, kind, id.value)} {...id} />;
}

/** A cell with the id of a subject. */
export function SubjectTd(props: Props) {
  return (
    <Td>
      <SubjectId {...props} />
    </Td>
  );
}
