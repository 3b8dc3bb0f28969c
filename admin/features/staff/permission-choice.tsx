import { Trans, useLingui } from '@lingui/react/macro'
import type { Permission } from '#contract/permissions.ts'
import { Checkbox } from '~/ui/choice'
import { useMe } from '../../platform/session'
import { permissionLabels } from '../../ui/permission-labels'
import styles from './permission-choice.module.css'

interface PermissionChoiceProps {
  chosen: readonly Permission[]
  onChange: (chosen: readonly Permission[]) => void
  error?: string | undefined
}

/** Chooses permissions among those that the person has: nobody grants more. */
export function PermissionChoice({ chosen, onChange, error }: PermissionChoiceProps) {
  const { i18n } = useLingui()
  const { permissions } = useMe()
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>
        <Trans>Permissions</Trans>
      </legend>
      {error && <p className={styles.error}>{error}</p>}
      <div className={styles.grid}>
        {permissions.map((permission) => (
          <Checkbox
            key={permission}
            label={i18n._(permissionLabels[permission])}
            checked={chosen.includes(permission)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, permission] : chosen.filter((each) => each !== permission))
            }
          />
        ))}
      </div>
    </fieldset>
  )
}
