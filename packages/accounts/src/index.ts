export {
  type Accounts,
  type Input,
  type OperationName,
  type Output,
  operations,
  type ShownFactor,
  type ShownUser,
  type SignIn,
} from './wire.ts';
