import { Chip } from "@/components/ui/chip";

/** Status of a case, in workflow order. */
export const STATUS_TEXTS = { open: "Open", in_progress: "In progress", closed: "Closed" } as const;
export type Status = keyof typeof STATUS_TEXTS;

export const CaseStatusChip = ({ status }: { status: Status }) => (
  <Chip isActive={status !== "closed"}>{STATUS_TEXTS[status]}</Chip>
);
