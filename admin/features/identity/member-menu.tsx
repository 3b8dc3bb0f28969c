import { Trans } from '@lingui/react/macro'
import { Button } from '~/ui/button'
import { Menu, MenuItem } from '~/ui/menu'

/** What staff do with an account once in a while. */
export type MemberAction = 'email' | 'partnership' | 'export' | 'merge'

/** The actions on a member that are seldom needed. */
export function MemberMenu({ onChoose }: { onChoose: (action: MemberAction) => void }) {
  return (
    <Menu
      align="start"
      trigger={
        <Button size="s" iconEnd="chevron-down">
          <Trans>More</Trans>
        </Button>
      }
    >
      <MenuItem value="email" onSelect={() => onChoose('email')}>
        <Trans>Change the email address</Trans>
      </MenuItem>
      <MenuItem value="partnership" onSelect={() => onChoose('partnership')}>
        <Trans>Partnership</Trans>
      </MenuItem>
      <MenuItem value="export" onSelect={() => onChoose('export')}>
        <Trans>Export the data</Trans>
      </MenuItem>
      <MenuItem value="merge" onSelect={() => onChoose('merge')}>
        <Trans>Merge accounts</Trans>
      </MenuItem>
    </Menu>
  )
}
