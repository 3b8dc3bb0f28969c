import { useLingui } from '@lingui/react/macro'
import { IconButton } from '~/ui/button'
import styles from './ordered-rows.module.css'

interface MoveButtonsProps {
  /** What is moved. */
  name: string
  /** Undefined where it cannot move further. */
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
}

/** Moves an item of a list by one place, for those who do not drag it. */
export function MoveButtons({ name, onUp, onDown }: MoveButtonsProps) {
  const { t } = useLingui()
  return (
    <>
      <IconButton
        className={styles.move}
        icon="chevron-up"
        label={t`Move up: ${name}`}
        aria-disabled={onUp === undefined}
        onClick={onUp}
      />
      <IconButton
        className={styles.move}
        icon="chevron-down"
        label={t`Move down: ${name}`}
        aria-disabled={onDown === undefined}
        onClick={onDown}
      />
    </>
  )
}
