import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Permission } from '#contract/permissions.ts'
import { Button } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Page } from '../ui/page'
import { permissionLabels } from '../ui/permission-labels'

/** In place of a page that the person may not open. It asks the API for nothing. */
export function NoAccess({ permission }: { permission: Permission }) {
  const { t, i18n } = useLingui()
  const label = i18n._(permissionLabels[permission])
  return (
    <Page title={t`You don’t have access to this page`}>
      <EmptyState
        icon="lock"
        title={<Trans>Your role lacks the permission “{label}”</Trans>}
        actions={
          <Button render={<Link to="/" />}>
            <Trans>Home</Trans>
          </Button>
        }
      >
        <Trans>Ask an owner to give it to you.</Trans>
      </EmptyState>
    </Page>
  )
}
