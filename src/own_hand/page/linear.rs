//! Systems of linear equations.

/// Rows of equal length.
type Matrix = Vec<Vec<f64>>;

/// Solves `matrix · x = right` by Gaussian elimination with partial pivoting; `None` for a singular matrix.
#[expect(clippy::needless_range_loop, reason = "two rows of one matrix are read and written")]
pub(in crate::own_hand) fn solve(mut matrix: Matrix, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let count = right.len();
    for column in 0..count {
        let pivot = (column..count).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..count {
            let factor = matrix[row][column] / matrix[column][column];
            if factor != 0.0 {
                for at in column..count {
                    matrix[row][at] -= factor * matrix[column][at];
                }
                right[row] -= factor * right[column];
            }
        }
    }
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|at| matrix[row][at] * right[at]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right.iter().all(|value| value.is_finite()).then_some(right)
}

/// The coefficients of the least squares fit of `values` by weighted `rows`, with a penalty for the square of each
/// coefficient. Sums are in the order of the rows.
pub(in crate::own_hand) fn least_squares(
    rows: &[Vec<f64>],
    values: &[f64],
    weights: &[f64],
    penalties: &[f64],
) -> Option<Vec<f64>> {
    let count = penalties.len();
    let mut matrix = vec![vec![0.0; count]; count];
    let mut right = vec![0.0; count];
    for ((row, value), weight) in rows.iter().zip(values).zip(weights) {
        for (index, one) in row.iter().enumerate().filter(|(_, one)| **one != 0.0) {
            right[index] += weight * one * value;
            for (sum, other) in matrix[index].iter_mut().zip(row) {
                *sum += weight * one * other;
            }
        }
    }
    for (index, penalty) in penalties.iter().enumerate() {
        matrix[index][index] += penalty;
    }
    solve(matrix, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved_and_a_singular_one_is_refused() {
        let matrix = vec![vec![0.0, 2.0, 1.0], vec![1.0, -1.0, 0.0], vec![3.0, 0.0, -2.0]];
        let solution = solve(matrix.clone(), vec![7.0, -1.0, -3.0]).unwrap();
        for (found, expected) in solution.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12, "{solution:?}");
        }
        assert!(solve(vec![vec![1.0, 2.0], vec![2.0, 4.0]], vec![1.0, 2.0]).is_none());
    }
}
