import { Trans, useLingui } from '@lingui/react/macro'
import { TextField } from '~/ui/text-field'
import { onSubmit } from '../../ui/form'
import form from '../../ui/form.module.css'
import { FormDialog } from '../../ui/form-dialog'
import { type EditedCue, shifted } from './cues'

interface ShiftDialogProps {
  cues: readonly EditedCue[]
  onChange: (cues: EditedCue[]) => void
  onClose: () => void
}

/** Moves all captions in time, where a file belongs to another cut of the video. */
export function ShiftDialog({ cues, onChange, onClose }: ShiftDialogProps) {
  const { t } = useLingui()
  return (
    <FormDialog title={t`Shift all times`} action={<Trans>Shift</Trans>} writes={[]} onClose={onClose}>
      {(formId) => (
        <form
          id={formId}
          className={form.form}
          onSubmit={onSubmit(({ seconds = '0' }) => {
            onChange(shifted(cues, Number(seconds)))
            onClose()
          })}
        >
          <TextField
            label={t`Seconds`}
            hint={t`Later with a positive number, earlier with a negative one.`}
            name="seconds"
            type="number"
            step="0.001"
            min={-86_400}
            max={86_400}
            defaultValue="1"
            required
            dir="ltr"
          />
        </form>
      )}
    </FormDialog>
  )
}
