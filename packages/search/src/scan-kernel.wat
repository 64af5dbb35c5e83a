;; The inner loop of the exact vector scan: the dot product of a query with each of some rows, scaled.
;;
;; A row is `stride` bytes, a multiple of 16: its components as int8, zeros, and in the last four bytes its scale as
;; float32. The query is `stride` int16, zero where a row holds no component. Sums wrap at 32 bits; the caller scales
;; the query so that the true result fits, so wrapping on the way is harmless.
(module
  (import "window" "memory" (memory 1))

  ;; Writes a float32 a row to `out`: sum × row scale × query scale, rounded after each step; adding 0 turns -0 into 0.
  (func (export "scan")
    (param $query i32) (param $row i32) (param $stride i32) (param $rows i32) (param $out i32) (param $scale f32)
    (local $q i32) (local $end i32) (local $x v128) (local $sum v128)
    (local.set $end (i32.add (local.get $query) (i32.shl (local.get $stride) (i32.const 1))))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $q (local.get $query))
        (loop $components
          (local.set $x (v128.load (local.get $row)))
          (local.set $sum
            (i32x4.add
              (local.get $sum)
              (i32x4.add
                (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $x)) (v128.load (local.get $q)))
                (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $x)) (v128.load offset=16 (local.get $q))))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (br_if $components (i32.lt_u (local.get $q) (local.get $end))))
        (f32.store (local.get $out)
          (f32.add
            (f32.mul
              (f32.mul
                (f32.convert_i32_s
                  (i32.add
                    (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
                    (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
                (f32.load (i32.sub (local.get $row) (i32.const 4))))
              (local.get $scale))
            (f32.const 0)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $next)))))
