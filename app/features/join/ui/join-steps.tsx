import { useLingui } from '@lingui/react/macro'
import { Stepper } from '~/ui/stepper'

/** How far joining has come. */
export function JoinSteps({ current }: { current: 'input' | 'verify' | 'completed' }) {
  const { t } = useLingui()
  return (
    <Stepper
      label={t`Steps of joining`}
      current={current}
      steps={[
        { key: 'input', label: t`Your details` },
        { key: 'verify', label: t`Your e-mail` },
        { key: 'completed', label: t`Welcome` },
      ]}
    />
  )
}
