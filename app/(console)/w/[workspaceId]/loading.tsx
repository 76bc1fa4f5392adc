import { Panel } from "@/components/ui/panel";
import { Late, Skeleton, SkeletonRows } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <Late>
      <Skeleton className="mb-5 h-7 w-40" />
      <Panel>
        <SkeletonRows />
      </Panel>
    </Late>
  );
}
