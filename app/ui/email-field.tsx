import { TextField, type TextFieldProps } from './text-field'

/** An e-mail address that names an account: password managers know it for one. */
export function EmailField(props: Omit<TextFieldProps, 'type'>) {
  return (
    <TextField
      name="email"
      autoComplete="username"
      {...props}
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
    />
  )
}
