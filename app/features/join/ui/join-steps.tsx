import { useLingui } from '@lingui/react/macro'
import { Stepper } from '~/ui/progress'

/** How far joining has come. */
export function JoinSteps({ current }: { current: 'input' | 'verify' | 'completed' }) {
  const { t } = useLingui()
  return (
    <Stepper
      label={t`Sign-up steps`}
      current={current}
      steps={[
        { key: 'input', label: t`Your details` },
        { key: 'verify', label: t`Email verification` },
        { key: 'completed', label: t`Welcome` },
      ]}
    />
  )
}
