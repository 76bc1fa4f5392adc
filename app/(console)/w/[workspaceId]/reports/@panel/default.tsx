/** No side panel is open. */
export default function NoPanel() {
  return null;
}
