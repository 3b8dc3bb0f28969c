import { useLingui } from '@lingui/react/macro'

/** What the links between pages are called. */
export function usePaginationLabels() {
  const { t } = useLingui()
  return {
    name: t`Pages`,
    previous: t`Previous page`,
    next: t`Next page`,
    page: (number: number) => t`Page ${number}`,
  }
}
