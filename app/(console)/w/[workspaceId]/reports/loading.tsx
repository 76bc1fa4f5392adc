import { PageHeader, Panel } from "@/components/ui/panel";
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <>
      <PageHeader title="Reports" />
      <Skeleton className="mb-4 h-36" />
      <Panel>
        <SkeletonRows rows={12} label="Loading reports" />
      </Panel>
    </>
  );
}
