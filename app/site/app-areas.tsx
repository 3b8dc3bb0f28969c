/** What stands above every page: toasts, the modal, announcements. */
export function AppAreas() {
  return null
}
