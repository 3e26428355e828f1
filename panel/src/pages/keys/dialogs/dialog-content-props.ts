/** Props of the content of a key dialog. */
export type DialogContentProps = {
  onClose: () => void
  /** Called when the content shows a new key. From then on only the content's own button closes the dialog. */
  onIssued: () => void
}
