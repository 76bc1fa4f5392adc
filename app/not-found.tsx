import { ButtonLink } from "@/components/ui/button";
import { MessagePage } from "@/components/ui/message-page";

export const metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <MessagePage title="There is nothing here">
      <p className="text-fg-muted">
        The address may be mistyped, or it belongs to a workspace that you are not a member of: the two look the same on
        purpose.
      </p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink href="/" variant="primary">
          To the start
        </ButtonLink>
        <ButtonLink href="/docs">Documentation</ButtonLink>
      </div>
    </MessagePage>
  );
}
