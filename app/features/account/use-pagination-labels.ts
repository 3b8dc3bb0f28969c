import { useLingui } from '@lingui/react/macro'

/** The labels of pagination links. */
export function usePaginationLabels() {
  const { t } = useLingui()
  return {
    name: t`Pages`,
    previous: t`Previous page`,
    next: t`Next page`,
    page: (number: number) => t`Page ${number}`,
  }
}
