import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { OrderCode } from '#contract/ids.ts'
import type { Column } from '../../ui/data-list'

interface Deposit {
  code: OrderCode
  /** Null where the account was deleted. */
  member: { name: string; email: string } | null
}

/** The order of a deposit, and who pays it. */
export const useDepositorColumns = (): readonly Column<Deposit>[] => {
  const { t } = useLingui()
  return [
    {
      key: 'code',
      header: t`Order`,
      cell: ({ code }) => (
        <Link to="/orders/$code" params={{ code }}>
          {code}
        </Link>
      ),
    },
    { key: 'name', header: t`Depositor`, cell: ({ member }) => <bdi>{member?.name || '–'}</bdi> },
    {
      key: 'email',
      header: t`Email`,
      isExtra: true,
      cell: ({ member }) => <bdi>{member?.email ?? t`Account deleted`}</bdi>,
    },
  ]
}
