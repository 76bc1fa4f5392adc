import { Panel } from "@/components/ui/panel";
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <>
      <Skeleton className="mb-5 h-7 w-40" />
      <Panel>
        <SkeletonRows />
      </Panel>
    </>
  );
}
